/** The benchmark of the NameNode: what the healer's questions cost a real one with many blocks, one by one and several in a call. */
@NullMarked
package io.hearth.bench.namenode;

import org.jspecify.annotations.NullMarked;
