/**
 * Which replica of which block moves where: a pure planner, the placement rules that it must keep, and a reason for every
 * block that stays.
 */
@NullMarked
package io.hearth.healer.plan;

import org.jspecify.annotations.NullMarked;
