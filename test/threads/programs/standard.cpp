#include <thread>
#include <future>
#include <iostream>
#include <vector>
#include <mutex>
#include <condition_variable>
#include <chrono>
int main(){ std::vector<std::thread> v; std::mutex m; long s=0; for(int i=0;i<100;i++) v.emplace_back([&,i]{ std::lock_guard<std::mutex> g(m); s+=i; }); for(auto&t:v) t.join(); std::cout<<s<<"\n";
 auto f=std::async(std::launch::async,[]{ std::this_thread::sleep_for(std::chrono::milliseconds(50)); return 42;}); std::cout<<f.get()<<"\n";
 std::condition_variable cv; std::unique_lock<std::mutex> l(m); auto r=cv.wait_for(l,std::chrono::milliseconds(20)); std::cout<<(r==std::cv_status::timeout)<<"\n";
 thread_local int x=3; std::thread([&]{ x=7; }).join(); std::cout<<x<<"\n"; std::thread([]{}).detach(); try{ std::async(std::launch::async,[]{throw 5;}).get(); }catch(int e){std::cout<<"caught "<<e<<"\n";} }
