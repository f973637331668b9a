/**
 * What a load is: the names of servers, tables and regions, the dimensions of heat, and vectors of them.
 */
@NullMarked
package io.hearth.common.model;

import org.jspecify.annotations.NullMarked;
