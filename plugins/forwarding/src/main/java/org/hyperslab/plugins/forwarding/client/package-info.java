/** The connector {@code forwarding}, which has staging servers carry out every operation. */
package org.hyperslab.plugins.forwarding.client;
