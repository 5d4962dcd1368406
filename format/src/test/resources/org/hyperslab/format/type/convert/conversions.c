/*
 * Makes conversions.txt: what H5Tconvert gives for every pair of the number types below.
 *
 *   newest-hdf5 DIR; DIR/bin/h5cc -w conversions.c -lm -o conv; DIR/bin/h5run ./conv > conversions.txt
 *
 * Lines "type NAME values HEX" give the source elements of a type, one behind the other; lines
 * "NAME NAME HEX" the destination elements.
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#define MAX 64
struct type { const char *name; hid_t id; int real; unsigned char values[MAX * 16]; int n; } types[64];
static int ntypes;
static void add(const char *name, hid_t id) { types[ntypes].name = name; types[ntypes].id = H5Tcopy(id); types[ntypes].real = H5Tget_class(id) == H5T_FLOAT; ntypes++; }
static hid_t integer(hid_t base, size_t precision, size_t offset, H5T_pad_t low, H5T_pad_t high) {
    hid_t t = H5Tcopy(base); H5Tset_precision(t, precision); H5Tset_offset(t, offset); H5Tset_pad(t, low, high); return t; }
static unsigned long long state = 12345;
static unsigned char rnd(void) { state = state * 6364136223846793005ULL + 1442695040888963407ULL; return state >> 56; }
int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0); H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    add("i8", H5T_STD_I8LE); add("u8", H5T_STD_U8LE); add("i16", H5T_STD_I16LE); add("u16", H5T_STD_U16LE);
    add("i32", H5T_STD_I32LE); add("u32", H5T_STD_U32LE); add("i64", H5T_STD_I64LE); add("u64", H5T_STD_U64LE);
    add("i16be", H5T_STD_I16BE); add("u32be", H5T_STD_U32BE); add("i64be", H5T_STD_I64BE);
    add("f32", H5T_IEEE_F32LE); add("f64", H5T_IEEE_F64LE); add("f32be", H5T_IEEE_F32BE); add("f64be", H5T_IEEE_F64BE);
    add("i17", integer(H5T_STD_I32LE, 17, 3, H5T_PAD_ZERO, H5T_PAD_ONE));
    add("u11", integer(H5T_STD_U16BE, 11, 4, H5T_PAD_ONE, H5T_PAD_ZERO));
    hid_t i16b = H5Tcopy(H5T_STD_I64LE); H5Tset_size(i16b, 16); H5Tset_precision(i16b, 100); add("i100", i16b);
    hid_t i24 = H5Tcopy(H5T_STD_I32BE); H5Tset_precision(i24, 24); H5Tset_size(i24, 3); add("i24be", i24);
    add("x87", H5T_NATIVE_LDOUBLE);
    add("vaxf", H5T_VAX_F32); add("vaxg", H5T_VAX_F64);
#ifdef H5T_FLOAT_BFLOAT16LE
    add("f16", H5T_IEEE_F16LE); add("bf16", H5T_FLOAT_BFLOAT16LE); add("f8e4m3", H5T_FLOAT_F8E4M3); add("f8e5m2", H5T_FLOAT_F8E5M2);
    add("f6e2m3", H5T_FLOAT_F6E2M3); add("f4e2m1", H5T_FLOAT_F4E2M1);
#endif
    hid_t f24 = H5Tcopy(H5T_IEEE_F32BE); H5Tset_fields(f24, 23, 15, 8, 0, 15); H5Tset_precision(f24, 24); H5Tset_size(f24, 3); H5Tset_ebias(f24, 127); add("f24be", f24);
    double reals[] = {0, -0.0, .5, -.5, 1, -1, 1.5, 2.5, -1.5, 127.5, 128.9, -129, 255.99, 256, 2049, 2051, 32767.5, 65504, 65519.9, 65520, -65536, 1e5,
        16777217, 2147483647, 2147483648., -2147483649., 4294967295., 4294967296., 9007199254740993., 9223372036854775807., 1.8446744073709552e19, -1e20,
        3.4028234663852886e38, 3.4028235e38, 3.402823567e38, 3.40282356779733642752e38, -1e39, 1.1754943508222875e-38, 1e-40, 1.4e-45, 7.1e-46, 7e-46, 5e-324,
        6.1e-5, 6e-8, 2.98e-8, 2.99e-8, .0019, .001, INFINITY, -INFINITY, NAN};
    long long ints[] = {0, 1, -1, 127, 128, -128, -129, 255, 256, 2049, 2051, 32767, 32768, -32768, 65519, 65520, 65535, 65536, 8388607, 8388608, 16777217, 16777219,
        2147483647, 2147483648LL, -2147483648LL, 4294967295LL, 9007199254740993LL, 9007199254740995LL, 9223372036854775807LL, -9223372036854775807LL - 1, 0x7fffff4000000001LL, 0x7fffffbfffffffffLL};
    int nr = sizeof reals / sizeof *reals, ni = sizeof ints / sizeof *ints;
    for (int i = 0; i < ntypes; i++) {
        size_t size = H5Tget_size(types[i].id); unsigned char buf[MAX * 16];
        int n = types[i].real ? nr : ni;
        memset(buf, 0, sizeof buf);
        if (types[i].real) memcpy(buf, reals, sizeof reals); else memcpy(buf, ints, sizeof ints);
        if (types[i].real) H5Tconvert(H5T_IEEE_F64LE, types[i].id, n, buf, NULL, H5P_DEFAULT);
        else if (H5Tget_precision(types[i].id) > 64) H5Tconvert(H5T_STD_I64LE, types[i].id, n, buf, NULL, H5P_DEFAULT);
        else { unsigned char out[MAX * 16]; /* low bits, in the order of the type */
            for (int k = 0; k < n; k++) for (size_t b = 0; b < size; b++)
                out[k * size + b] = buf[k * 8 + (H5Tget_order(types[i].id) == H5T_ORDER_BE ? size - 1 - b : b)];
            memcpy(buf, out, n * size); }
        for (; n < (types[i].real ? 60 : 40); n++) for (size_t b = 0; b < size; b++) buf[n * size + b] = rnd();
        memcpy(types[i].values, buf, n * size); types[i].n = n;
        printf("type %s ", types[i].name);
        for (size_t b = 0; b < n * size; b++) printf("%02x", buf[b]);
        printf("\n");
    }
    for (int i = 0; i < ntypes; i++) for (int j = 0; j < ntypes; j++) {
        unsigned char buf[MAX * 16], bkg[MAX * 16];
        size_t size = H5Tget_size(types[j].id);
        memset(buf, 0, sizeof buf); memset(bkg, 0, sizeof bkg);
        memcpy(buf, types[i].values, sizeof buf);
        if (i == j) continue;
        if (H5Tget_precision(types[i].id) > 64 && !types[i].real && types[j].real) continue; /* the C library aborts */
        if (H5Tconvert(types[i].id, types[j].id, types[i].n, buf, bkg, H5P_DEFAULT) < 0) { printf("%s %s refused\n", types[i].name, types[j].name); continue; }
        printf("%s %s ", types[i].name, types[j].name);
        for (size_t b = 0; b < types[i].n * size; b++) printf("%02x", buf[b]);
        printf("\n");
    }
    return 0;
}
