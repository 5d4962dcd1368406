/* What a real MPI makes of datatypes: the judge of DerivedTypeJudgeTest.
 *
 * Reads from the file that it is given one datatype a line, in prefix form (the test's Sentences
 * says which), makes it, and prints "refused", where the library does, or
 *   size lower-bound extent true-lower-bound true-extent offset:length offset:length ...
 * (a size of 0 alone),
 * where the runs are the places of the packed bytes in order, neighbours joined. The places are
 * found by packing memory whose bytes are the low, middle and high bytes of their own offsets.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MPI_Datatype read_type(void);

static long number(void) {
  long value;
  if (scanf("%ld", &value) != 1) {
    exit(3);
  }
  return value;
}

static int *integers(int n) {
  int *all = malloc((n + 1) * sizeof(int));
  for (int i = 0; i < n; i++) {
    all[i] = (int)number();
  }
  return all;
}

static MPI_Aint *addresses(int n) {
  MPI_Aint *all = malloc((n + 1) * sizeof(MPI_Aint));
  for (int i = 0; i < n; i++) {
    all[i] = (MPI_Aint)number();
  }
  return all;
}

static MPI_Datatype basic(void) {
  char name[32];
  if (scanf("%31s", name) != 1) {
    exit(3);
  }
  if (!strcmp(name, "BYTE")) return MPI_BYTE;
  if (!strcmp(name, "INT16")) return MPI_INT16_T;
  if (!strcmp(name, "INT32")) return MPI_INT32_T;
  if (!strcmp(name, "INT64")) return MPI_INT64_T;
  if (!strcmp(name, "FLOAT")) return MPI_FLOAT;
  if (!strcmp(name, "DOUBLE")) return MPI_DOUBLE;
  if (!strcmp(name, "DOUBLE_COMPLEX")) return MPI_C_DOUBLE_COMPLEX;
  exit(4);
}

static MPI_Datatype subarray(void) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  int n = (int)number();
  int *sizes = integers(n), *subsizes = integers(n), *starts = integers(n);
  int order = number() ? MPI_ORDER_FORTRAN : MPI_ORDER_C;
  MPI_Type_create_subarray(n, sizes, subsizes, starts, order, read_type(), &made);
  return made;
}

static MPI_Datatype darray(void) {
  static const int kinds[] = {MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
  MPI_Datatype made = MPI_DATATYPE_NULL;
  int size = (int)number(), rank = (int)number(), n = (int)number();
  int *sizes = integers(n), *how = integers(n), *args = integers(n), *grid = integers(n);
  for (int i = 0; i < n; i++) {
    how[i] = kinds[how[i]];
    args[i] = args[i] < 0 ? MPI_DISTRIBUTE_DFLT_DARG : args[i];
  }
  int order = number() ? MPI_ORDER_FORTRAN : MPI_ORDER_C;
  MPI_Type_create_darray(size, rank, n, sizes, how, args, grid, order, read_type(), &made);
  return made;
}

static MPI_Datatype structure(void) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  int n = (int)number();
  int *lengths = integers(n);
  MPI_Aint *places = addresses(n);
  MPI_Datatype *types = malloc(n * sizeof(MPI_Datatype));
  for (int i = 0; i < n; i++) {
    types[i] = read_type();
  }
  MPI_Type_create_struct(n, lengths, places, types, &made);
  return made;
}

static MPI_Datatype listed(const char *kind) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  int n = (int)number();
  if (!strcmp(kind, "indexed")) {
    int *lengths = integers(n), *places = integers(n);
    MPI_Type_indexed(n, lengths, places, read_type(), &made);
  } else if (!strcmp(kind, "hindexed")) {
    int *lengths = integers(n);
    MPI_Aint *places = addresses(n);
    MPI_Type_create_hindexed(n, lengths, places, read_type(), &made);
  } else if (!strcmp(kind, "indexed_block")) {
    int length = (int)number();
    int *places = integers(n);
    MPI_Type_create_indexed_block(n, length, places, read_type(), &made);
  } else {
    int length = (int)number();
    MPI_Aint *places = addresses(n);
    MPI_Type_create_hindexed_block(n, length, places, read_type(), &made);
  }
  return made;
}

static MPI_Datatype regular(const char *kind) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  long a = number();
  if (!strcmp(kind, "contiguous")) {
    MPI_Type_contiguous((int)a, read_type(), &made);
    return made;
  }
  long b = number();
  if (!strcmp(kind, "resized")) {
    MPI_Type_create_resized(read_type(), a, b, &made);
    return made;
  }
  long c = number();
  if (!strcmp(kind, "vector")) {
    MPI_Type_vector((int)a, (int)b, (int)c, read_type(), &made);
  } else {
    MPI_Type_create_hvector((int)a, (int)b, c, read_type(), &made);
  }
  return made;
}

static MPI_Datatype read_type(void) {
  char kind[32];
  if (scanf("%31s", kind) != 1) {
    exit(3);
  }
  if (!strcmp(kind, "basic")) return basic();
  if (!strcmp(kind, "subarray")) return subarray();
  if (!strcmp(kind, "darray")) return darray();
  if (!strcmp(kind, "struct")) return structure();
  if (strstr(kind, "indexed")) return listed(kind);
  return regular(kind);
}

static void print_places(MPI_Datatype type, int size, MPI_Aint low, MPI_Aint span) {
  long *places = calloc(size + 1, sizeof(long));
  unsigned char *memory = malloc(span + 1), *packed = malloc(size + 1);
  for (int shift = 0; shift < 24; shift += 8) {
    for (MPI_Aint i = 0; i < span; i++) {
      memory[i] = (unsigned char)(i >> shift);
    }
    int position = 0;
    MPI_Pack(memory - low, 1, type, packed, size, &position, MPI_COMM_SELF);
    for (int i = 0; i < size; i++) {
      places[i] |= (long)packed[i] << shift;
    }
  }
  for (int i = 0; i < size;) {
    int n = 1;
    while (i + n < size && places[i + n] == places[i] + n) {
      n++;
    }
    printf(" %ld:%d", places[i] + (long)low, n);
    i += n;
  }
  free(places);
  free(memory);
  free(packed);
}

/* MPICH gives wrong places after some hundreds of types that nobody freed. */
static void release(MPI_Datatype type) {
  int integers, addresses, types, combiner;
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (combiner != MPI_COMBINER_NAMED) {
    MPI_Type_free(&type);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  if (argc != 2 || !freopen(argv[1], "r", stdin)) {
    return 2;
  }
  long lines = number();
  for (long i = 0; i < lines; i++) {
    MPI_Datatype type = read_type();
    if (type == MPI_DATATYPE_NULL || MPI_Type_commit(&type) != MPI_SUCCESS) {
      printf("refused\n");
      continue;
    }
    int size;
    MPI_Aint low, extent, true_low, true_extent;
    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &low, &extent);
    MPI_Type_get_true_extent(type, &true_low, &true_extent);
    printf("%d", size);
    if (size > 0) { /* the bounds of nothing are anything, and MPICH cannot pack it */
      printf(" %ld %ld", (long)low, (long)extent);
      printf(" %ld %ld", (long)true_low, (long)true_extent);
      print_places(type, size, true_low, true_extent);
    }
    printf("\n");
    release(type);
  }
  MPI_Finalize();
  return 0;
}
