/* Prints, for each of a list of dataspaces with selections, a line
 *   NAME VERSION-BOUND HEX
 * where HEX is what H5Sencode gives. encode_selections.sh builds and runs it. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

static void show(const char *name, hid_t space)
{
    const char *bounds[] = {"earliest", "latest"};
    for (int i = 0; i < 2; i++) {
        hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
        size_t size = 0;
        if (i == 1)
            H5Pset_libver_bounds(fapl, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
#if H5_VERSION_GE(1, 12, 0)
        herr_t status = H5Sencode2(space, NULL, &size, fapl);
#else
        if (i == 1) {
            H5Pclose(fapl);
            break;
        }
        herr_t status = H5Sencode(space, NULL, &size);
#endif
        if (status < 0) {
            H5Pclose(fapl);
            continue;
        }
        unsigned char *bytes = malloc(size);
#if H5_VERSION_GE(1, 12, 0)
        H5Sencode2(space, bytes, &size, fapl);
#else
        H5Sencode(space, bytes, &size);
#endif
        printf("%s %s ", name, bounds[i]);
        for (size_t k = 0; k < size; k++)
            printf("%02x", bytes[k]);
        printf("\n");
        free(bytes);
        H5Pclose(fapl);
    }
    H5Sclose(space);
}

static hid_t simple(int rank, hsize_t a, hsize_t b, hsize_t c)
{
    hsize_t dims[3] = {a, b, c};
    hsize_t maxs[3] = {H5S_UNLIMITED, b, c};
    return H5Screate_simple(rank, dims, maxs);
}

static void slab(hid_t space, H5S_seloper_t op, int rank, const hsize_t *v)
{
    H5Sselect_hyperslab(space, op, v, v + rank, v + 2 * rank, v + 3 * rank);
}

int main(void)
{
    hsize_t unlimited = H5S_UNLIMITED;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);

    show("scalar", H5Screate(H5S_SCALAR));
    show("null", H5Screate(H5S_NULL));
    show("all", simple(2, 10, 20, 0));

    hid_t s = simple(2, 10, 20, 0);
    H5Sselect_none(s);
    show("none", s);

    s = simple(2, 10, 20, 0);
    hsize_t points[] = {9, 19, 0, 0, 5, 5, 5, 5, 5, 6};
    H5Sselect_elements(s, H5S_SELECT_SET, 5, points);
    show("points", s);

    s = simple(1, 5000000000ULL, 0, 0);
    hsize_t far[] = {4999999999ULL, 7};
    H5Sselect_elements(s, H5S_SELECT_SET, 2, far);
    show("points-far", s);

    s = simple(2, 10, 20, 0);
    hsize_t box[] = {2, 3, 1, 1, 1, 1, 4, 5};
    slab(s, H5S_SELECT_SET, 2, box);
    show("box", s);

    s = simple(2, 10, 20, 0);
    hsize_t regular[] = {1, 2, 4, 5, 2, 3, 3, 2};
    slab(s, H5S_SELECT_SET, 2, regular);
    show("regular", s);

    s = simple(3, 70000, 300, 40);
    hsize_t large[] = {1, 2, 3, 40000, 100, 7, 2, 2, 5, 300, 90, 2};
    slab(s, H5S_SELECT_SET, 3, large);
    show("regular-3d", s);

    s = simple(2, 10, 20, 0);
    hsize_t one[] = {0, 0, 1, 1, 1, 1, 4, 4};
    hsize_t two[] = {2, 2, 1, 1, 1, 1, 4, 7};
    hsize_t three[] = {8, 0, 1, 3, 1, 5, 1, 1};
    slab(s, H5S_SELECT_SET, 2, one);
    slab(s, H5S_SELECT_OR, 2, two);
    slab(s, H5S_SELECT_OR, 2, three);
    show("irregular", s);

    s = simple(1, 6000000000ULL, 0, 0);
    hsize_t farBox[] = {5000000000ULL, 1, 1, 10};
    slab(s, H5S_SELECT_SET, 1, farBox);
    show("box-far", s);

    s = simple(1, 6000000000ULL, 0, 0);
    hsize_t farAgain[] = {100, 1, 1, 17};
    slab(s, H5S_SELECT_SET, 1, farBox);
    slab(s, H5S_SELECT_OR, 1, farAgain);
    show("irregular-far", s);

    s = simple(2, 10, 20, 0);
    hsize_t unlimitedCount[] = {3, 1, 5, 6, unlimited, 2, 2, 4};
    slab(s, H5S_SELECT_SET, 2, unlimitedCount);
    show("unlimited-count", s);

    s = simple(2, 10, 20, 0);
    hsize_t unlimitedBlock[] = {3, 1, 1, 6, 1, 2, unlimited, 4};
    slab(s, H5S_SELECT_SET, 2, unlimitedBlock);
    show("unlimited-block", s);

    s = simple(2, 10, 20, 0);
    hsize_t touching[] = {3, 1, 2, 6, unlimited, 2, 2, 4};
    slab(s, H5S_SELECT_SET, 2, touching);
    show("unlimited-touching", s);
    return 0;
}
