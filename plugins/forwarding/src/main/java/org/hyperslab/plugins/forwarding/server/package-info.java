/** Staging servers: sessions, their memory and rights, and what an operator sees. */
package org.hyperslab.plugins.forwarding.server;
