/**
 * Values shared by users and connectors: the properties of files, groups, datasets, links and
 * attributes, and the options with which they are created. Values only: immutable, without
 * behaviour beyond checks, safe to share between threads and to send over a wire.
 */
package org.hyperslab.model;
