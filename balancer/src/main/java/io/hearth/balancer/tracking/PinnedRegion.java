// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.balancer.state.Pin;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;

/**
 * One region that is left where it is because of something that is remembered. Immutable.
 *
 * @param server where it is, or for a move in flight where it is going
 * @param pin the kind of reason
 * @param who who is the cause: a user, or {@code Hearth}
 * @param why one sentence, without its full stop
 * @param sinceMs since when, in milliseconds since 1970
 * @param untilMs until when at the latest, in milliseconds since 1970
 */
public record PinnedRegion(
        EncodedRegionName region,
        TableId table,
        ServerId server,
        Pin pin,
        String who,
        String why,
        long sinceMs,
        long untilMs) {}
