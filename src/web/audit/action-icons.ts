import {
  Ban,
  Building2,
  ChartColumn,
  Contact,
  Download,
  Eraser,
  Eye,
  KeyRound,
  LogIn,
  LogOut,
  type LucideIcon,
  MessageCircle,
  MessageSquareText,
  ScrollText,
  Settings,
  ShieldCheck,
  ShieldOff,
  Sparkles,
  Tags,
  Trash2,
  UserRoundCog,
  Waypoints,
  Wrench,
} from 'lucide-react'
import type { AuditAction, AuditGroup } from '#shared/audit/audit-actions.ts'

const ofGroup: Readonly<Partial<Record<AuditGroup, LucideIcon>>> = {
  auth: LogIn,
  access: Ban,
  user: UserRoundCog,
  permissions: ShieldCheck,
  conversation: MessageCircle,
  message: MessageSquareText,
  contact: Contact,
  company: Building2,
  category: Tags,
  settings: Settings,
  gateway: Waypoints,
  assistant: Sparkles,
  report: ChartColumn,
  maintenance: Wrench,
  audit: Download,
}

const ofAction: Readonly<Partial<Record<AuditAction, LucideIcon>>> = {
  'auth.login_failed': KeyRound,
  'auth.logout': LogOut,
  'user.block': Ban,
  'user.reset_password': KeyRound,
  'auth.confirm_failed': KeyRound,
  'user.recovery_codes': KeyRound,
  'user.second_factor_on': ShieldCheck,
  'user.second_factor_off': ShieldOff,
  'user.second_factor_reset': ShieldOff,
  'user.end_sessions': LogOut,
  'user.delete': Trash2,
  'conversation.read': Eye,
  'conversation.delete': Trash2,
  'message.delete': Trash2,
  'audit.erase': Eraser,
  'contact.anonymize': Eraser,
  'contact.personal_data': Download,
}

/** That of its group for most, and a general one for groups without any and for actions of other versions. */
export function iconOf(action: string): LucideIcon {
  const [group = ''] = action.split('.')
  return ofAction[action as AuditAction] ?? ofGroup[group as AuditGroup] ?? ScrollText
}
