/*
 * Makes datatype-messages.txt: every datatype class, committed by HDF5 2.x under four lower version bounds;
 * each line is a name, the bound, and the datatype message in hexadecimal (padding of the message included).
 *
 *   newest-hdf5 DIR; DIR/bin/h5cc -w datatype-messages.c -o enc; DIR/bin/h5run ./enc > addresses.txt
 *   python3 datatype-messages.py addresses.txt > datatype-messages.txt
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static hid_t f[4]; static const char*nm[4]={"earliest","v18","v112","latest"};
/* Commits the type in a file of each lower bound and prints the address of its object header. */
static void p(const char*n,hid_t t){ for(int k=0;k<4;k++){hid_t c=H5Tcopy(t); char path[80];sprintf(path,"/%s",n); H5O_info2_t oi; 
 if(H5Tcommit2(f[k],path,c,H5P_DEFAULT,H5P_DEFAULT,H5P_DEFAULT)<0){continue;} H5Oget_info_by_name3(f[k],path,&oi,H5O_INFO_BASIC,H5P_DEFAULT); unsigned long long a=0; memcpy(&a,&oi.token,8); printf("%s %s %llu\n",n,nm[k],a);H5Tclose(c);}}
int main(){ H5Eset_auto2(H5E_DEFAULT,NULL,NULL); H5F_libver_t lv[4]={H5F_LIBVER_EARLIEST,H5F_LIBVER_V18,H5F_LIBVER_V112,H5F_LIBVER_LATEST};
for(int k=0;k<4;k++){hid_t a=H5Pcreate(H5P_FILE_ACCESS);H5Pset_libver_bounds(a,lv[k],k<2?H5F_LIBVER_LATEST:lv[k]);f[k]=H5Fcreate(nm[k],H5F_ACC_TRUNC,H5P_DEFAULT,a);}
p("i32",H5T_STD_I32LE); p("f64",H5T_IEEE_F64LE); p("f16",H5T_IEEE_F16BE); p("bf16",H5T_FLOAT_BFLOAT16LE); p("f8e4m3",H5T_FLOAT_F8E4M3);p("f8e5m2",H5T_FLOAT_F8E5M2);p("f6e2m3",H5T_FLOAT_F6E2M3);p("f6e3m2",H5T_FLOAT_F6E3M2);p("f4",H5T_FLOAT_F4E2M1);
p("cf32",H5T_COMPLEX_IEEE_F32LE);p("cf64be",H5T_COMPLEX_IEEE_F64BE);p("ldc",H5T_NATIVE_LDOUBLE_COMPLEX);p("ld",H5T_NATIVE_LDOUBLE);
p("vaxf",H5T_VAX_F32);p("vaxg",H5T_VAX_F64);p("time32",H5T_UNIX_D32LE);p("time64be",H5T_UNIX_D64BE);
hid_t s=H5Tcopy(H5T_C_S1);H5Tset_size(s,H5T_VARIABLE);p("vstr",s);H5Tset_cset(s,H5T_CSET_UTF8);p("vstru",s);
p("fort",H5T_FORTRAN_S1);p("objref",H5T_STD_REF_OBJ);p("regref",H5T_STD_REF_DSETREG);p("ref",H5T_STD_REF);
hid_t v=H5Tvlen_create(H5T_STD_I16BE);p("vlen",v);hsize_t d[2]={2,3};hid_t a=H5Tarray_create2(H5T_STD_I16BE,2,d);p("array",a);
hid_t c=H5Tcreate(H5T_COMPOUND,24);H5Tinsert(c,"first",0,H5T_STD_I32LE);H5Tinsert(c,"eightcha",8,H5T_IEEE_F64LE);p("cmp",c);H5Tpack(c);p("cmppacked",c);
hid_t c2=H5Tcreate(H5T_COMPOUND,300);H5Tinsert(c2,"arr",0,a);H5Tinsert(c2,"v",20,v);H5Tinsert(c2,"s",280,s);p("cmparr",c2);
hid_t c3=H5Tcreate(H5T_COMPOUND,300);H5Tinsert(c3,"c",0,c2);p("nested",c3);
hid_t e=H5Tenum_create(H5T_STD_I16LE);short x=5;H5Tenum_insert(e,"FIVE",&x);x=-1;H5Tenum_insert(e,"MINUS",&x);p("enum",e);
hid_t o=H5Tcreate(H5T_OPAQUE,7);H5Tset_tag(o,"a tag of some");p("opaque",o);hid_t o2=H5Tcreate(H5T_OPAQUE,7);H5Tset_tag(o2,"");p("opaque0",o2);H5Tset_tag(o2,"12345678");p("opaque8",o2);
p("bit",H5T_STD_B16BE);hid_t b=H5Tcopy(H5T_STD_B32LE);H5Tset_precision(b,17);H5Tset_offset(b,3);H5Tset_pad(b,H5T_PAD_ONE,H5T_PAD_ZERO);p("bit17",b);
hid_t cc=H5Tcreate(H5T_COMPOUND,8);H5Tinsert(cc,"z",0,H5T_COMPLEX_IEEE_F32LE);p("cmpcplx",cc);
hid_t bg=H5Tcreate(H5T_COMPOUND,8);H5Tinsert(bg,"z",0,H5T_VAX_F32);p("cmpvax",bg);hid_t bv=H5Tvlen_create(bg);p("vlencmpvax",bv);
for(int k=0;k<4;k++)H5Fflush(f[k],H5F_SCOPE_GLOBAL);fflush(stdout);_Exit(0);}
