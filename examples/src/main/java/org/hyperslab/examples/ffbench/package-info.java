/**
 * FFbench: the scenarios by which a compactor in front of a parallel file system is measured, with
 * it and without it. Rows of a matrix written by many clients (collective buffering), overlapping
 * writes of one client (morphing), reads of what others have just written (stealing), and FLASH's
 * files.
 */
package org.hyperslab.examples.ffbench;
