void smooth(int n, double *restrict out, const double *restrict in);
void triangle(int n, double *restrict out, const double *restrict matrix, const double *restrict in);
