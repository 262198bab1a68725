import { type FocusEventHandler, type ReactNode, useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { onDemand } from '#web/ui/on-demand.tsx'
import { RowSelect } from '#web/conversations/selection/row-select.tsx'
import type { Selection } from '#web/conversations/selection/use-selection.ts'
import { RowActions } from './row-actions.tsx'

const TransferDialog = onDemand(
  async () => (await import('#web/conversations/hand-over/transfer-dialog.tsx')).TransferDialog,
)

const TagOne = onDemand(async () => (await import('#web/conversations/selection/tag-one.tsx')).TagOne)

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
  const [asked, setAsked] = useState<'transfer' | 'tags'>()
  const close = () => setAsked(undefined)
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
      {(isUnderMouse || hasFocus || asked) && !selection.isOn && (
        <RowActions
          conversation={conversation}
          tabIndex={tabIndex}
          onAsk={setAsked}
          className={actionsPlace}
        />
      )}
      {asked === 'transfer' && <TransferDialog conversation={conversation} onClose={close} />}
      {asked === 'tags' && <TagOne conversation={conversation} onClose={close} />}
    </div>
  )
}
