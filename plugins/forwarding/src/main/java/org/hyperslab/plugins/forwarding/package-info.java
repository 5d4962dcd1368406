/** Staging servers: wire protocol, client, server, journals and task engine. */
package org.hyperslab.plugins.forwarding;
