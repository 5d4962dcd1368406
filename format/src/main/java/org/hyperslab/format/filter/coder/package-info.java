/**
 * What several filters are made of: coders of blocks, bits, transpositions, and the libraries for
 * them.
 */
package org.hyperslab.format.filter.coder;
