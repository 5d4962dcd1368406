/** Native memory that is used again and again, by the wire and by the compactor. */
package org.hyperslab.plugins.forwarding.memory;
