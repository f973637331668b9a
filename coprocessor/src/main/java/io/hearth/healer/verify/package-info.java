/**
 * What the NameNode says of every move: healed, still under way, reverted, gone, or inconclusive; and which DataNodes are sick by what
 * all who use them see.
 */
@NullMarked
package io.hearth.healer.verify;

import org.jspecify.annotations.NullMarked;
