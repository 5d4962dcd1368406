/** Staging servers: the addresses and keys that clients and servers share. */
package org.hyperslab.plugins.forwarding;
