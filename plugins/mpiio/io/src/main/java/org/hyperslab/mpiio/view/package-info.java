/**
 * Views of files (MPI 4.1, section 14.3): {@link org.hyperslab.mpiio.view.FileView} says which
 * bytes of a file a rank sees and in which units it counts them, and turns an access into byte
 * extents; {@link org.hyperslab.mpiio.view.DataRepresentation} says how elements are laid down in
 * the file (section 14.5).
 */
package org.hyperslab.mpiio.view;
