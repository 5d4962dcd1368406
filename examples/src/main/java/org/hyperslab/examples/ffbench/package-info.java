/**
 * FFbench: scenarios that measure the benefit of a compactor in front of a parallel file system.
 * Rows of a matrix written by many clients (collective buffering), overlapping writes of one client
 * (morphing), reads of what others have just written (stealing), and FLASH's files.
 */
package org.hyperslab.examples.ffbench;
