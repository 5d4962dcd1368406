/**
 * MPI's derived datatypes: {@link org.hyperslab.mpiio.datatype.DerivedType} is made by the
 * constructors that the standard names (MPI 4.1, chapter 5) and carries two things computed once:
 *
 * <ul>
 *   <li>its {@link org.hyperslab.mpiio.datatype.TypeMap}, the places of its bytes, in the order in
 *       which they travel, kept compressed: a vector of 10^9 blocks is three numbers;
 *   <li>its {@link org.hyperslab.mpiio.datatype.Signature}, which elementary types these bytes are,
 *       for conversion between data representations.
 * </ul>
 *
 * <p>How a type was made stays readable as a {@link org.hyperslab.mpiio.datatype.Recipe}, MPI's
 * envelope and contents, so that it can be made again in another library or with other sizes.
 */
package org.hyperslab.mpiio.datatype;
