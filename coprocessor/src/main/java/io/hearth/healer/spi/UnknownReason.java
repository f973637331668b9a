// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.spi;

/** Why nobody could say. */
public enum UnknownReason {
    /** The NameNode could not be asked or did not answer. */
    NAMENODE_FAILED,
    /** The HMaster's user may not ask. */
    NOT_PERMITTED,
    /** The NameNode answers, and about others it would: what was asked for can't be read. */
    UNREADABLE,
    /** The master is not active, or not yet. */
    MASTER_NOT_READY
}
