/**
 * MPI-IO (MPI 4.1, chapter 14): {@link org.hyperslab.mpiio.MpiFile}, a file that ranks have opened
 * together.
 *
 * <p>An access is a value, a {@code Transfer}, until it is executed: its position is determined,
 * its bytes are mapped through the view to extents, converted if necessary, and passed to {@link
 * org.hyperslab.mpiio.collective.CollectiveIo}. Collective calls of one file pass through a lane,
 * one at a time and in order, so that blocking, started and split ones mix.
 *
 * <p>{@link org.hyperslab.mpiio.file.FileView} selects the visible bytes of a rank and the unit of
 * offsets (section 14.3); {@link org.hyperslab.mpiio.file.DataRepresentation} the representation of
 * elements in the file (section 14.5). {@link org.hyperslab.mpiio.datatype.DerivedType} is made by
 * the constructors that the standard names (chapter 5). It holds the places of its bytes in packed
 * order, compressed, so that a vector of 10^9 blocks takes three numbers; and the elementary types
 * of these bytes, for conversion between representations. Its construction can be read as a {@link
 * org.hyperslab.mpiio.datatype.TypeConstructor}, MPI's envelope and contents, so that it can be
 * made again in another library or with other sizes.
 *
 * <p>Routines of MPI and methods here:
 *
 * <table>
 * <caption>MPI_File_* and MpiFile</caption>
 * <tr><th>MPI_File_…</th><th>method</th></tr>
 * <tr><td>open, close, delete</td><td>open, close, delete</td></tr>
 * <tr><td>set_size, preallocate, get_size</td><td>setSize, preallocate, size</td></tr>
 * <tr><td>get_group, get_amode</td><td>group, modes</td></tr>
 * <tr><td>set_info, get_info</td><td>setInfo, info</td></tr>
 * <tr><td>set_view, get_view</td><td>setView (with MPI_DISPLACEMENT_CURRENT: setViewHere), view</td></tr>
 * <tr><td>read_at, write_at</td><td>readAt, writeAt</td></tr>
 * <tr><td>read_at_all, write_at_all</td><td>readAtAll, writeAtAll</td></tr>
 * <tr><td>iread_at, iwrite_at</td><td>startReadAt, startWriteAt</td></tr>
 * <tr><td>iread_at_all, iwrite_at_all</td><td>startReadAtAll, startWriteAtAll</td></tr>
 * <tr><td>read, write</td><td>read, write</td></tr>
 * <tr><td>read_all, write_all</td><td>readAll, writeAll</td></tr>
 * <tr><td>iread, iwrite</td><td>startRead, startWrite</td></tr>
 * <tr><td>iread_all, iwrite_all</td><td>startReadAll, startWriteAll</td></tr>
 * <tr><td>seek, get_position, get_byte_offset</td><td>seek, position, byteOffset</td></tr>
 * <tr><td>read_shared, write_shared</td><td>readShared, writeShared</td></tr>
 * <tr><td>iread_shared, iwrite_shared</td><td>startReadShared, startWriteShared</td></tr>
 * <tr><td>read_ordered, write_ordered</td><td>readOrdered, writeOrdered</td></tr>
 * <tr><td>seek_shared, get_position_shared</td><td>seekShared, sharedPosition</td></tr>
 * <tr><td>read_at_all_begin, read_at_all_end</td><td>beginReadAtAll, end of what it returns</td></tr>
 * <tr><td>write_at_all_begin, write_at_all_end</td><td>beginWriteAtAll, end</td></tr>
 * <tr><td>read_all_begin, read_all_end</td><td>beginReadAll, end</td></tr>
 * <tr><td>write_all_begin, write_all_end</td><td>beginWriteAll, end</td></tr>
 * <tr><td>read_ordered_begin, read_ordered_end</td><td>beginReadOrdered, end</td></tr>
 * <tr><td>write_ordered_begin, write_ordered_end</td><td>beginWriteOrdered, end</td></tr>
 * <tr><td>get_type_extent</td><td>typeExtent</td></tr>
 * <tr><td>set_atomicity, get_atomicity, sync</td><td>setAtomic, isAtomic, sync</td></tr>
 * <tr><td>MPI_Register_datarep</td><td>{@link
 *     org.hyperslab.mpiio.file.DataRepresentations#register}, or an object passed to {@link
 *     org.hyperslab.mpiio.file.FileView}</td></tr>
 * </table>
 *
 * <p>Without a method: c2f and f2c, which are about Fortran's handles, and the error handlers
 * (create, set, get, call), which exceptions replace.
 */
package org.hyperslab.mpiio.file;
