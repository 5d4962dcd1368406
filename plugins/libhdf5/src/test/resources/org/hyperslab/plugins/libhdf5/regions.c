/* Region references in the form before 1.12, and types with references; prints what it gets. */
#include <hdf5.h>
#include <stdio.h>
#include <string.h>

enum { REFERENCES = 6 };

static void print_region(hid_t at, const hdset_reg_ref_t *reference) {
  static const hdset_reg_ref_t none;
  if (memcmp(reference, &none, sizeof none) == 0) {
    printf("null\n");
    return;
  }
  hsize_t from[2] = {0, 0}, to[2] = {0, 0};
  char name[64] = "";
  H5O_type_t type = H5O_TYPE_UNKNOWN;
  hid_t space = H5Rget_region(at, H5R_DATASET_REGION, reference);
  H5Rget_obj_type2(at, H5R_DATASET_REGION, reference, &type);
  H5Rget_name(at, H5R_DATASET_REGION, reference, name, sizeof name);
  printf("%s type %d: kind %d, %d elements of %d", name, type, H5Sget_select_type(space),
         (int)H5Sget_select_npoints(space), (int)H5Sget_simple_extent_npoints(space));
  if (H5Sget_select_npoints(space) > 0) {
    H5Sget_select_bounds(space, from, to);
    printf(", %d %d to %d %d", (int)from[0], (int)from[1], (int)to[0], (int)to[1]);
  }
  printf("\n");
  H5Sclose(space);
}

static void make(hid_t file, hid_t space) {
  hsize_t start[2] = {1, 2}, stride[2] = {3, 4}, count[2] = {2, 2}, block[2] = {2, 3}, points[3][2] = {{9, 9}, {0, 5}, {3, 3}};
  hsize_t size = REFERENCES, corner[2] = {0, 0}, one[2] = {1, 1};
  hdset_reg_ref_t references[REFERENCES];
  memset(references, 0, sizeof references);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, block);
  printf("create %d\n", H5Rcreate(&references[0], file, "data", H5R_DATASET_REGION, space));
  H5Sselect_elements(space, H5S_SELECT_SET, 3, &points[0][0]);
  H5Rcreate(&references[1], file, "data", H5R_DATASET_REGION, space);
  H5Sselect_all(space);
  H5Rcreate(&references[2], file, "/group/again", H5R_DATASET_REGION, space);
  H5Sselect_none(space);
  H5Rcreate(&references[3], file, "data", H5R_DATASET_REGION, space);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, one, block);
  H5Sselect_hyperslab(space, H5S_SELECT_OR, corner, NULL, one, NULL);
  H5Rcreate(&references[5], file, "data", H5R_DATASET_REGION, space);
  for (int i = 0; i < REFERENCES; i++) print_region(file, &references[i]);

  hid_t line = H5Screate_simple(1, &size, NULL);
  hid_t dataset = H5Dcreate2(file, "regions", H5T_STD_REF_DSETREG, line, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  printf("write %d\n", H5Dwrite(dataset, H5T_STD_REF_DSETREG, H5S_ALL, H5S_ALL, H5P_DEFAULT, references));
  hid_t attribute = H5Acreate2(dataset, "of it", H5T_STD_REF_DSETREG, line, H5P_DEFAULT, H5P_DEFAULT);
  printf("attribute %d\n", H5Awrite(attribute, H5T_STD_REF_DSETREG, references));
  H5Aclose(attribute), H5Dclose(dataset), H5Sclose(line);
}

static void read(hid_t file) {
  hdset_reg_ref_t references[REFERENCES];
  hid_t dataset = H5Dopen2(file, "regions", H5P_DEFAULT), type = H5Dget_type(dataset);
  printf("type %d\n", H5Tequal(type, H5T_STD_REF_DSETREG));
  printf("read %d\n", H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, references));
  for (int i = 0; i < REFERENCES; i++) print_region(dataset, &references[i]);
  hid_t attribute = H5Aopen(dataset, "of it", H5P_DEFAULT);
  printf("attribute %d\n", H5Aread(attribute, H5T_STD_REF_DSETREG, references));
  print_region(file, &references[1]);
  hid_t referred = H5Rdereference2(file, H5P_DEFAULT, H5R_DATASET_REGION, &references[0]);
  printf("dereferenced %d\n", H5Iget_type(referred));
  H5Dclose(referred), H5Aclose(attribute), H5Tclose(type), H5Dclose(dataset);
}

/* What types with references are equal to, as they come from a file. */
static void types(hid_t file) {
  hsize_t two = 2;
  hid_t sequence = H5Tvlen_create(H5T_STD_REF_OBJ), pair = H5Tcreate(H5T_COMPOUND, 40), array = H5Tarray_create2(sequence, 1, &two);
  H5Tinsert(pair, "text", 0, H5T_NATIVE_LONG);
  H5Tinsert(pair, "all", 8, array);
  hid_t space = H5Screate(H5S_SCALAR), made[] = {sequence, array, pair};
  for (int i = 0; i < 3; i++) {
    char name[2] = {(char)('a' + i), 0};
    H5Aclose(H5Acreate2(file, name, made[i], space, H5P_DEFAULT, H5P_DEFAULT));
    hid_t attribute = H5Aopen(file, name, H5P_DEFAULT), type = H5Aget_type(attribute);
    printf("equal %d, size %d\n", H5Tequal(type, made[i]), (int)H5Tget_size(type));
    if (i == 0) {
      hid_t base = H5Tget_super(type);
      printf("base %d\n", H5Tequal(base, H5T_STD_REF_OBJ));
      H5Tclose(base);
    }
    H5Tclose(type), H5Aclose(attribute), H5Tclose(made[i]);
  }
  H5Sclose(space);
}

int main(void) {
  hsize_t size[2] = {10, 10};
  hid_t file = H5Fcreate("f.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), space = H5Screate_simple(2, size, NULL);
  H5Dclose(H5Dcreate2(file, "data", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Gclose(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Lcreate_hard(file, "data", file, "group/again", H5P_DEFAULT, H5P_DEFAULT);
  make(file, space);
  types(file);
  printf("closed %d\n", H5Fclose(file));
  file = H5Fopen("f.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  read(file);
  printf("closed %d\n", H5Fclose(file));
  H5Sclose(space);
  return 0;
}
