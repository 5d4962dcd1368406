/**
 * The commands that change objects of a file: {@code attr}, {@code copy}, {@code delete}, {@code
 * mkgrp}, {@code move}, {@code clear}.
 */
package org.hyperslab.tools.edit;
