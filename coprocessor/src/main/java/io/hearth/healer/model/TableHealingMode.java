// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

/** What a table asks of healing. */
public enum TableHealingMode {
    /** Its regions are never healed. */
    OFF,
    /** Its regions are healed in their turn. */
    ON,
    /** Its regions are healed before those of other user tables. */
    FIRST
}
