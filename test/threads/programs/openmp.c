#include <omp.h>
#include <stdio.h>
static double a[4096], b[4096];
int main(){ double s=0; 
#pragma omp parallel for
 for(int i=0;i<4096;i++){ a[i]=i*0.5; b[i]=i; }
 for(int k=0;k<20;k++){
#pragma omp parallel for reduction(+:s) schedule(static)
 for(int i=0;i<4096;i++) s+=a[i]*b[i]; }
 int c=0;
#pragma omp parallel
 {
#pragma omp critical
  c++;
#pragma omp barrier
#pragma omp single
  printf("threads %d\n", omp_get_num_threads());
 }
 printf("%.0f %d\n", s, c); return 0; }
