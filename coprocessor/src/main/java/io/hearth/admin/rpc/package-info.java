/**
 * Adapter: what an operator asks of the master by RPC, on both sides of it. Two of its classes have a source root for each line of
 * HBase, since each line has a protobuf of its own for coprocessors.
 */
@NullMarked
package io.hearth.admin.rpc;

import org.jspecify.annotations.NullMarked;
