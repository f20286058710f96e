// The least of a program with streams.
#include <iostream>

int main(int argc, char **) {
  std::cout << "hello " << argc << std::endl;
  std::cerr << "to the error stream\n";
  return 5;
}
