/**
 * Texture segmentation by Gabor filters, as an application that computes while it writes: after
 * Venkatesan, Chaarawi, Gabriel, Hoefler, Design and Evaluation of Nonblocking Collective I/O
 * Operations (2011).
 */
package org.hyperslab.examples.gabor;
