/**
 * A differential tester: random histories of edits, made in turns by this project and by the HDF5 C
 * library. After each turn the file is compared with an independent model, which was written from
 * the specification and the public API alone.
 */
package org.hyperslab.testkit.differential;
