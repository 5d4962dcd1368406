/**
 * A differential tester: random histories of edits, carried out by turns by this project and by the
 * HDF5 C library, compared after each turn with a model that is neither. Written from the
 * specification and the public API alone.
 */
package org.hyperslab.testkit.differential;
