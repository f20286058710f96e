/* A small Lisp: reader, environments, closures, a collector that marks and sweeps. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Cell { char kind, mark; union { long n; char name[12]; struct { struct Cell *a, *d; }; }; } Cell;
static Cell heap[6000], *roots[600], *nil, *env;
static int top, root_count, collections;
static const char *in;
static void mark(Cell *c) { while (c && !c->mark) { c->mark = 1; if (c->kind != 'c' && c->kind != 'f') return; mark(c->a); c = c->d; } }
static Cell *make(char kind) {
  for (int tries = 0;; tries++) {
    for (; top < 6000; top++) if (!heap[top].kind) { heap[top].kind = kind; return &heap[top++]; }
    if (tries) { puts("out of memory"); exit(1); }
    collections++;
    mark(nil), mark(env);
    for (int i = 0; i < root_count; i++) mark(roots[i]);
    for (int i = 0; i < 6000; i++) { if (!heap[i].mark) heap[i].kind = 0; heap[i].mark = 0; }
    top = 0;
  }
}
#define KEEP(c) (roots[root_count++] = (c))
static Cell *cons(Cell *a, Cell *d) { KEEP(a), KEEP(d); Cell *c = make('c'); root_count -= 2; c->a = a, c->d = d; return c; }
static Cell *number(long n) { Cell *c = make('n'); c->n = n; return c; }
static Cell *symbol(const char *s) { Cell *c = make('s'); strncpy(c->name, s, 11); c->name[11] = 0; return c; }
static Cell *read(void);
static Cell *read_list(void) {
  while (isspace((unsigned char)*in)) in++;
  if (*in == ')') return in++, nil;
  Cell *a = KEEP(read()), *d = read_list();
  root_count--;
  return cons(a, d);
}
static Cell *read(void) {
  while (isspace((unsigned char)*in)) in++;
  if (*in == '(') return in++, read_list();
  if (isdigit((unsigned char)*in) || (*in == '-' && isdigit((unsigned char)in[1]))) { char *end; long n = strtol(in, &end, 10); in = end; return number(n); }
  char name[12] = {0};
  int n = 0;
  while (*in && !isspace((unsigned char)*in) && *in != ')' && *in != '(') { if (n < 11) name[n++] = *in; in++; }
  return symbol(name);
}
static Cell *lookup(Cell *s, Cell *e) {
  for (; e != nil; e = e->d) if (strcmp(e->a->a->name, s->name) == 0) return e->a;
  printf("unbound %s\n", s->name), exit(2);
}
static int is(Cell *c, const char *s) { return c->kind == 's' && strcmp(c->name, s) == 0; }
static Cell *eval(Cell *x, Cell *e) {
  int saved = root_count;
  KEEP(x), KEEP(e);
  Cell *r = x;
  if (x->kind == 's') r = lookup(x, e)->d;
  else if (x->kind == 'c') {
    Cell *f = x->a, *args = x->d;
    if (is(f, "if")) r = eval(eval(args->a, e) != nil ? args->d->a : args->d->d->a, e);
    else if (is(f, "quote")) r = args->a;
    else if (is(f, "lambda")) { r = make('f'); r->a = args, r->d = e; }
    else if (is(f, "define")) { Cell *binding = KEEP(cons(args->a, nil)); env = cons(binding, env); binding->d = eval(args->d->a, env); r = args->a; }
    else {
      Cell *v[4] = {nil, nil, nil, nil};
      int n = 0;
      for (Cell *a = args; a != nil; a = a->d) v[n++] = KEEP(eval(a->a, e));
      if (is(f, "+")) r = number(v[0]->n + v[1]->n);
      else if (is(f, "-")) r = number(v[0]->n - v[1]->n);
      else if (is(f, "*")) r = number(v[0]->n * v[1]->n);
      else if (is(f, "<")) r = v[0]->n < v[1]->n ? f : nil;
      else if (is(f, "cons")) r = cons(v[0], v[1]);
      else if (is(f, "car")) r = v[0]->a;
      else if (is(f, "cdr")) r = v[0]->d;
      else if (is(f, "null")) r = v[0] == nil ? f : nil;
      else {
        Cell *closure = KEEP(eval(f, e)), *scope = closure->d == nil || 1 ? closure->d : e;
        KEEP(scope);
        n = 0;
        for (Cell *p = closure->a->a; p != nil; p = p->d) { Cell *b = KEEP(cons(p->a, v[n++])); scope = KEEP(cons(b, scope)); }
        r = eval(closure->a->d->a, scope);
      }
    }
  }
  root_count = saved;
  return r;
}
static void print(Cell *c) {
  if (c->kind == 'n') printf("%ld", c->n);
  else if (c->kind == 's') printf("%s", c->name);
  else if (c->kind == 'f') printf("<f>");
  else if (c == nil) printf("()");
  else { putchar('('); for (; c->kind == 'c' && c != nil; c = c->d) { print(c->a); if (c->d != nil) putchar(' '); } putchar(')'); }
}

int main(void) {
  nil = make('c'), nil->a = nil->d = nil, env = nil;
  const char *lines[] = {"(define fib (lambda (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))))", "(fib 13)", "(define map (lambda (f l) (if (null l) l (cons (f (car l)) (map f (cdr l))))))",
                         "(define add (lambda (n) (lambda (x) (+ x n))))", "(map (add 10) (quote (1 2 3)))", "(map fib (quote (5 6 7 8)))", "(define fact (lambda (n) (if (< n 1) 1 (* n (fact (- n 1))))))", "(fact 15)",
                         "(quote (nested (lists) () 5))"};
  for (int i = 0; i < 9; i++) {
    in = lines[i];
    print(eval(read(), env));
    puts("");
  }
  printf("%d\n", collections > 0);
}
