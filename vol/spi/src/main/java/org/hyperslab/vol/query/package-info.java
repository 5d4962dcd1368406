/**
 * Answers questions about the values of a dataset: by statistics of its blocks where they are
 * known, and by reading where they are not.
 */
@NullMarked
package org.hyperslab.vol.query;

import org.jspecify.annotations.NullMarked;
