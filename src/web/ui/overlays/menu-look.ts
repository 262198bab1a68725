/** The look of menus, also for those built without `Menu`. */
export const menuLook = [
  'animate-pop z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-44',
  'max-w-72 overflow-y-auto rounded-card bg-surface p-1 shadow-float outline-none',
].join(' ')

export const menuItemLook = [
  'flex md:min-h-8 cursor-pointer items-center gap-2 rounded-[7px] px-2 text-sm outline-none',
  'select-none data-[disabled]:cursor-default data-[disabled]:text-ink-3 data-[highlighted]:bg-hover',
].join(' ')

export const menuLabelLook = 'px-2 pt-1.5 pb-1 text-xs text-ink-3'

export const menuLineLook = 'mx-1 my-1 h-px bg-line'
