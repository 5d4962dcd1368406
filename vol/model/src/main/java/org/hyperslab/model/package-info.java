/**
 * Values shared by users and connectors: the properties of files, groups, datasets, links and
 * attributes, and the options with which they are created. They are immutable, have no behaviour
 * beyond checks, and can be shared between threads and sent over a wire.
 */
@NullMarked
package org.hyperslab.model;

import org.jspecify.annotations.NullMarked;
