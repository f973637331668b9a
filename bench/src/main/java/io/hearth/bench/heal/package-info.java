/**
 * The benchmark of healing: what is healed first and what that is worth, and what a heal costs on a cluster as large as
 * HubSpot's largest, beside what no order and no schedule could do better.
 */
@NullMarked
package io.hearth.bench.heal;

import org.jspecify.annotations.NullMarked;
