import { Check, type LucideIcon } from 'lucide-react'
import { Slot } from 'radix-ui'
import { createContext, Fragment, type ReactNode, use, useRef, useState } from 'react'
import { cn } from '#web/ui/cn.ts'
import { menuItemLook, menuLabelLook, menuLineLook, menuLook } from './menu-look.ts'
import { fetchedOnDemand } from '#web/ui/on-demand.tsx'

const useParts = fetchedOnDemand(async () => (await import('./menu-parts.ts')).MenuParts)
type Parts = NonNullable<ReturnType<typeof useParts>>

interface OpenMenu {
  parts: Parts
  /** The next closing leaves the focus to the caller. */
  leave: () => void
}
const InMenu = createContext<OpenMenu | undefined>(undefined)

function useMenu(): OpenMenu {
  const menu = use(InMenu)
  if (!menu) throw new Error('outside of a menu')
  return menu
}

interface MenuProps {
  /** A button. */
  trigger: ReactNode
  align?: 'start' | 'end'
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
  children: ReactNode
}

/**
 * The actions on the thing that its trigger belongs to, by keyboard and mouse. Until it is opened for the
 * first time only its button is rendered, since a page has hundreds of menus.
 */
export function Menu(props: MenuProps) {
  const { trigger, isOpen = false, onOpenChange } = props
  const [wantedBy, setWantedBy] = useState<'key' | 'pointer'>()
  // Opened by its caller, it stays as it is when it closes: another button would not get the focus back.
  if (isOpen && wantedBy === undefined) setWantedBy('pointer')
  const isWanted = wantedBy !== undefined || isOpen
  const parts = useParts(isWanted, () => {
    setWantedBy(undefined)
    onOpenChange?.(false)
  })
  if (isWanted && parts) return <OpenedMenu {...props} parts={parts} isByKey={wantedBy === 'key'} />
  const want = (by: 'key' | 'pointer') => {
    setWantedBy(by)
    onOpenChange?.(true)
  }
  return (
    <Slot.Root
      aria-haspopup="menu"
      aria-expanded={false}
      // A keyboard press fires it too, and has no coordinates.
      onClick={(event) => want(event.detail === 0 ? 'key' : 'pointer')}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        want('key')
      }}
    >
      {trigger}
    </Slot.Root>
  )
}

function OpenedMenu({
  trigger,
  align = 'end',
  isOpen,
  onOpenChange,
  children,
  parts: Radix,
  isByKey,
}: MenuProps & { parts: Parts; isByKey: boolean }) {
  const isLeft = useRef(false)
  const isFirst = useRef(true)
  const content = useRef<HTMLDivElement>(null)
  return (
    <Radix.Root
      modal={false}
      defaultOpen
      {...(isOpen !== undefined && { open: isOpen })}
      {...(onOpenChange && { onOpenChange })}
    >
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          ref={content}
          className={menuLook}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onFocus={() => {
            if (!isFirst.current) return
            isFirst.current = false
            // Opened by keyboard, the menu focuses its first item. On the first opening it was not mounted
            // yet when the key was pressed.
            const items = content.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? []
            if (isByKey) [...items].find((item) => item.checkVisibility())?.focus()
          }}
          onCloseAutoFocus={(event) => {
            if (isLeft.current) event.preventDefault()
            isLeft.current = false
          }}
        >
          <InMenu value={{ parts: Radix, leave: () => (isLeft.current = true) }}>{children}</InMenu>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export function MenuItem({
  icon: Icon,
  isDanger = false,
  leadsElsewhere = false,
  onSelect,
  children,
}: {
  icon: LucideIcon
  isDanger?: boolean
  /** The action moves the focus; otherwise it returns to the trigger. */
  leadsElsewhere?: boolean
  onSelect: () => void
  children: string
}) {
  const { parts: Radix, leave } = useMenu()
  const onChosen = () => {
    if (leadsElsewhere) leave()
    onSelect()
  }
  return (
    <Radix.Item className={cn(menuItemLook, isDanger && 'text-red-text')} onSelect={onChosen}>
      <Icon size={16} aria-hidden className={cn(!isDanger && 'text-ink-2')} />
      {children}
    </Radix.Item>
  )
}

export function MenuLine() {
  const { parts: Radix } = useMenu()
  return <Radix.Separator className={menuLineLook} />
}

/** Something that is on or off: the menu stays open. */
export function MenuCheck({
  isChecked,
  onChange,
  children,
}: {
  isChecked: boolean
  onChange: (isChecked: boolean) => void
  children: string
}) {
  const { parts: Radix } = useMenu()
  return (
    <Radix.CheckboxItem
      className={menuItemLook}
      checked={isChecked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
    >
      <span
        className={cn(
          'grid size-4 flex-none place-items-center rounded-[4px] border',
          isChecked ? 'border-transparent bg-accent text-accent-ink' : 'border-field',
        )}
      >
        <Radix.ItemIndicator>
          <Check size={12} aria-hidden />
        </Radix.ItemIndicator>
      </span>
      {children}
    </Radix.CheckboxItem>
  )
}

export interface MenuOption<Value extends string> {
  value: Value
  label: ReactNode
  /** What stands at its right. */
  hint?: ReactNode
}

/** One of a few options, under a label; or of groups of them, with a line between. */
export function MenuChoice<Value extends string>({
  label,
  options = [],
  groups = [{ label, options }],
  value,
  onChoose,
}: {
  label: string
  options?: readonly MenuOption<Value>[]
  groups?: readonly { label?: string; options: readonly MenuOption<Value>[] }[]
  value: Value
  onChoose: (value: Value) => void
}) {
  const { parts: Radix } = useMenu()
  return (
    <Radix.RadioGroup aria-label={label} value={value}>
      {groups.map((group, n) => (
        <Fragment key={group.label ?? n}>
          {n > 0 && <MenuLine />}
          {group.label !== undefined && <Radix.Label className={menuLabelLook}>{group.label}</Radix.Label>}
          {group.options.map((option) => (
            <Radix.RadioItem
              key={option.value}
              value={option.value}
              className={menuItemLook}
              onSelect={() => onChoose(option.value)}
            >
              <span className="w-4 flex-none">
                <Radix.ItemIndicator>
                  <Check size={16} aria-hidden className="text-accent-text" />
                </Radix.ItemIndicator>
              </span>
              {option.label}
              {option.hint !== undefined && (
                <span className="ml-auto pl-3 text-xs text-ink-2">{option.hint}</span>
              )}
            </Radix.RadioItem>
          ))}
        </Fragment>
      ))}
    </Radix.RadioGroup>
  )
}

/** A row of emojis to react with. @param chosen the current reaction: choosing it again removes it ('') */
export function MenuEmojis<Emoji extends string>({
  emojis,
  chosen,
  onChoose,
}: {
  emojis: readonly Emoji[]
  chosen: string | undefined
  onChoose: (emoji: Emoji | '') => void
}) {
  const { parts: Radix } = useMenu()
  return (
    <Radix.Group aria-label="Reagir" className="flex gap-0.5">
      {emojis.map((emoji) => {
        const isChosen = emoji === chosen
        return (
          <Radix.Item
            key={emoji}
            aria-label={isChosen ? `Retirar a reação ${emoji}` : `Reagir com ${emoji}`}
            onSelect={() => onChoose(isChosen ? '' : emoji)}
            className={cn(
              'grid size-8 cursor-pointer place-items-center rounded-[7px]',
              'text-lg outline-none data-[highlighted]:bg-hover',
              isChosen && 'bg-selected',
            )}
          >
            {emoji}
          </Radix.Item>
        )
      })}
    </Radix.Group>
  )
}
