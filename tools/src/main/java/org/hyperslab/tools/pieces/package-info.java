/** Reading datasets of any size piece by piece. */
package org.hyperslab.tools.pieces;
