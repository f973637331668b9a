/**
 * What the demo measures, as plain values: rates from RegionServer reports, locality and racks from
 * the NameNode's block locations, the skew of a load and the plan of the load itself. It shares no
 * code with Hearth's own model, so that the two can disagree.
 */
@NullMarked
package io.hearth.testkit.measure;

import org.jspecify.annotations.NullMarked;
