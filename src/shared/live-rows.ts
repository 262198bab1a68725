import { row } from './endpoint.ts'

const audit = {
  not: 'pushes what the calls allow; a false identity is recorded as auth.other_user',
} as const

/** Who is sent what over the live connection: the rows of the permission table that no call has. */
export const liveRows = {
  upgrade: row({ id: 'WS /ws upgrade', needs: [], audit }),
  conversations: row({ id: 'WS recv conversation and message events', act: 'viewConversations', audit }),
  tracking: row({ id: 'WS recv queue*/view_tracking rows', act: 'viewTracking', audit }),
  stats: row({ id: 'WS recv stats_update', needs: [['canViewStatistics', 'canViewDashboard']], audit }),
  gatewayState: row({ id: 'WS recv gatewayConnected boolean', needs: [], audit }),
}
