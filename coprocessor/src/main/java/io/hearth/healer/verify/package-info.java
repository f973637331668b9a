/**
 * What the NameNode says of every move: healed, still under way, reverted, gone, or inconclusive.
 */
@NullMarked
package io.hearth.healer.verify;

import org.jspecify.annotations.NullMarked;
