// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

/** Whether a DataNode may take and give replicas. */
public enum ServiceState {
    /** In service and heard of lately. */
    IN_SERVICE,
    /** In service by its admin state, but its heartbeat is older than the stale interval: probably dead. */
    STALE,
    /** Decommissioning, decommissioned, or in or entering maintenance: its replicas don't count. */
    NOT_IN_SERVICE
}
