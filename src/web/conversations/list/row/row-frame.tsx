import { type FocusEventHandler, type ReactNode, useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { onDemand } from '#web/ui/on-demand.tsx'
import { RowSelect } from '#web/conversations/selection/row-select.tsx'
import type { Selection } from '#web/conversations/selection/use-selection.ts'
import { RowActions } from './row-actions.tsx'

const TransferDialog = onDemand(
  async () => (await import('#web/conversations/hand-over/transfer-dialog.tsx')).TransferDialog,
)

/**
 * What a row of a list has besides its link: the box that selects it and, under the mouse or with the focus,
 * its actions.
 */
export function RowFrame({
  conversation,
  selection,
  tabIndex = 0,
  boxPlace,
  actionsPlace,
  onFocus,
  children,
}: {
  conversation: Conversation
  selection: Selection
  tabIndex?: number
  /** Classes that place the box over the avatar. */
  boxPlace: string
  /** Classes that place the actions, and give them a ground. */
  actionsPlace: string
  onFocus?: (() => void) | undefined
  /** The link. */
  children: ReactNode
}) {
  const [isUnderMouse, setUnderMouse] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  const [isTransferring, setTransferring] = useState(false)
  const onBlur: FocusEventHandler = ({ currentTarget, relatedTarget }) =>
    setFocus(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))
  return (
    <div
      className="group/row relative"
      onPointerEnter={({ pointerType }) => setUnderMouse(pointerType === 'mouse')}
      onPointerLeave={() => setUnderMouse(false)}
      onFocus={() => {
        setFocus(true)
        onFocus?.()
      }}
      onBlur={onBlur}
    >
      {children}
      <RowSelect selection={selection} conversation={conversation} tabIndex={tabIndex} className={boxPlace} />
      {(isUnderMouse || hasFocus || isTransferring) && !selection.isOn && (
        <RowActions
          conversation={conversation}
          tabIndex={tabIndex}
          onTransfer={() => setTransferring(true)}
          className={actionsPlace}
        />
      )}
      {isTransferring && (
        <TransferDialog conversation={conversation} onClose={() => setTransferring(false)} />
      )}
    </div>
  )
}
