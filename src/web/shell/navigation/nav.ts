import { createContext, use } from 'react'
import type { Screens } from '#web/platform/screens.ts'
import { useMe } from '#web/users/users.tsx'
import { type NavItem, navGroupsOf } from './nav-items.ts'

const Nav = createContext<Screens>({})

/** Gives the shell the screens of all rooms, which it cannot import. */
export const NavProvider = Nav.Provider

export const useNavGroups = (): NavItem[][] => navGroupsOf(use(Nav), useMe())
