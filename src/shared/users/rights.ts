import { admins, adminsWith } from '#shared/rights.ts'

export const acts = {
  viewUsers: adminsWith('canViewUsers'),
  createUser: adminsWith('canCreateUsers'),
  inviteUser: adminsWith('canCreateUsers'),
  editUser: adminsWith('canEditUsers'),
  deleteUser: adminsWith('canDeleteUsers'),
  managePermissions: adminsWith('canManagePermissions'),
}

export const screens = {
  '/perfil': { title: 'Meu perfil', place: 80, inMenuOf: [] },
  '/users': { title: 'Usuários', place: 90, inMenuOf: admins, opensWith: 'viewUsers' },
  '/permissions': { title: 'Permissões', place: 100, inMenuOf: admins, opensWith: 'managePermissions' },
} as const

export type Subject = 'user' | 'session' | 'profile picture' | 'invitation'

export type Action =
  | 'auth.login'
  | 'auth.login_failed'
  | 'auth.logout'
  | 'auth.other_user'
  | 'auth.confirm'
  | 'auth.confirm_failed'
  | 'user.first_admin'
  | 'user.create'
  | 'user.invite'
  | 'user.invite_send'
  | 'user.invite_withdraw'
  | 'user.join'
  | 'user.update'
  | 'user.block'
  | 'user.unblock'
  | 'user.delete'
  | 'user.reset_password'
  | 'user.profile'
  | 'user.picture'
  | 'user.silent_hours'
  | 'user.end_sessions'
  | 'user.second_factor_on'
  | 'user.second_factor_off'
  | 'user.second_factor_reset'
  | 'user.recovery_codes'
  | 'permissions.update'
  | 'permissions.scope'
  | 'permissions.phones'
  | 'permissions.second_factor'
