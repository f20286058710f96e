#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#define N 4
static pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c=PTHREAD_COND_INITIALIZER, d=PTHREAD_COND_INITIALIZER;
static int q[2], n, head, tail; static long total; static int done;
static void*prod(void*p){ for(long i=0;i<40;i++){ pthread_mutex_lock(&m); while(n==2) pthread_cond_wait(&d,&m); q[tail++&1]=i*(long)p; n++; pthread_cond_signal(&c); pthread_mutex_unlock(&m);} return 0;}
static void*cons(void*p){ long s=0; for(;;){ pthread_mutex_lock(&m); while(n==0&&!done) pthread_cond_wait(&c,&m); if(n==0){pthread_mutex_unlock(&m);break;} s+=q[head++&1]; n--; pthread_cond_signal(&d); pthread_mutex_unlock(&m);} pthread_mutex_lock(&m); total+=s; pthread_mutex_unlock(&m); return 0;}
static pthread_barrier_t b; static pthread_rwlock_t rw=PTHREAD_RWLOCK_INITIALIZER; static __thread int tls=5; static int shared; static _Atomic long at; static pthread_spinlock_t sp; static long spun;
static void*bar(void*p){ for(int i=0;i<10;i++){ tls++; pthread_barrier_wait(&b); if((i&3)==((long)p&3)){pthread_rwlock_wrlock(&rw); shared++; pthread_rwlock_unlock(&rw);} else {pthread_rwlock_rdlock(&rw); at+=shared>=0; pthread_rwlock_unlock(&rw);} for(int k=0;k<100;k++){at++; pthread_spin_lock(&sp); spun++; pthread_spin_unlock(&sp);} } return (void*)(long)tls;}
int main(){ pthread_t t[N]; pthread_spin_init(&sp,0);
 for(long i=0;i<2;i++) pthread_create(&t[i],0,prod,(void*)(i+1)); for(long i=2;i<4;i++) pthread_create(&t[i],0,cons,0);
 for(int i=0;i<2;i++) pthread_join(t[i],0); pthread_mutex_lock(&m); done=1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m); for(int i=2;i<4;i++) pthread_join(t[i],0);
 printf("total %ld\n",total);
 pthread_barrier_init(&b,0,N); for(long i=0;i<N;i++) pthread_create(&t[i],0,bar,(void*)i); long s=0; for(int i=0;i<N;i++){void*r; pthread_join(t[i],&r); s+=(long)r;} printf("tls %ld shared %d at %ld spun %ld\n",s,shared,(long)at,spun); return 0;}
