/**
 * The model that all formats share: groups, variables, dimensions and attributes, elements that are
 * read box by box, and the threads and memory of a conversion.
 */
@NullMarked
package org.hyperslab.convert.model;

import org.jspecify.annotations.NullMarked;
