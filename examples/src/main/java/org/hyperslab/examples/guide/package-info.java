/**
 * Short programs, each of which does what one kind of user does, with nothing but the public API.
 * Copy one to begin with.
 */
package org.hyperslab.examples.guide;
