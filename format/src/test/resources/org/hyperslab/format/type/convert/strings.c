/*
 * Makes strings.txt: what H5Tconvert gives for strings of every padding and several sizes.
 * Lines: source padding, source size, destination padding, destination size, source bytes, destination bytes.
 *   gcc -w strings.c -I/usr/include/hdf5/serial -L/usr/lib/x86_64-linux-gnu/hdf5/serial -lhdf5 -o strings
 *   ./strings | sort -u > strings.txt
 */
#include <hdf5.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    const char texts[][9] = {"abcdefgh", "abc\0efgh", "ab      ", "abcd\0\0\0\0", "        ", "\0\0\0\0\0\0\0\0", "a b c   ", "abcdefg\0"};
    int sizes[] = {1, 3, 4, 7, 8};
    for (int p = 0; p < 3; p++) for (int q = 0; q < 3; q++)
        for (int i = 0; i < 5; i++) for (int j = 0; j < 5; j++) for (int k = 0; k < 8; k++) {
            hid_t s = H5Tcopy(H5T_C_S1), d = H5Tcopy(H5T_C_S1);
            H5Tset_size(s, sizes[i]); H5Tset_strpad(s, p); H5Tset_size(d, sizes[j]); H5Tset_strpad(d, q);
            char buf[16]; memcpy(buf, texts[k], 8);
            H5Tconvert(s, d, 1, buf, NULL, H5P_DEFAULT);
            printf("%d %d %d %d ", p, sizes[i], q, sizes[j]);
            for (int b = 0; b < sizes[i]; b++) printf("%02x", (unsigned char)texts[k][b]);
            printf(" ");
            for (int b = 0; b < sizes[j]; b++) printf("%02x", (unsigned char)buf[b]);
            printf("\n");
            H5Tclose(s); H5Tclose(d);
        }
    return 0;
}
